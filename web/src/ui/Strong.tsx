/** A text in which *stars* make words strong. */
export function Strong({ text }: { readonly text: string }) {
  return <>{text.split("*").map((part, i) => (i % 2 ? <b key={part}>{part}</b> : part))}</>;
}
