import { Component, createElement, type ComponentType } from "preact";

function differ(one: object, other: object): boolean {
  const before = Object.entries(one);
  const after = other as Readonly<Record<string, unknown>>;
  return before.length !== Object.keys(other).length || before.some(([key, value]) => after[key] !== value);
}

/** A component that draws again only when one of its props is another: not for ones that change with signals. */
export function memo<P extends object>(Inner: ComponentType<P>): ComponentType<P> {
  return class Memo extends Component<P> {
    override shouldComponentUpdate(next: Readonly<P>): boolean {
      return differ(this.props, next);
    }

    override render() {
      return createElement(Inner as ComponentType<object>, this.props);
    }
  };
}
