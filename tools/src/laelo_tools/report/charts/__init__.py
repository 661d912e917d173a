"""Pictures as SVG, drawn 360 units wide: a phone shows them as they are, larger screens larger.

Colours are the page's, by class (`page.css`), so that dark is dark.
"""
