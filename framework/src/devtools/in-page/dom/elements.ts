/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

/** A class of elements, such as `HTMLElement`. */
type Kind<Found extends Element> = abstract new () => Found

/**
 * The element with that id.
 * @throws TypeError if there is none of that class.
 */
export function byId<Found extends Element>(id: string, kind: Kind<Found>): Found {
  return within(document, `#${id}`, kind)
}

/**
 * The first element inside another one that matches the selector.
 * @throws TypeError if there is none of that class.
 */
export function within<Found extends Element>(
  parent: ParentNode,
  selector: string,
  kind: Kind<Found>,
): Found {
  const element = parent.querySelector(selector)
  if (element instanceof kind) return element
  throw new TypeError(`the page has no ${kind.name} ${selector}`)
}

/** Sets a text only if it has changed: screen readers would announce it again. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text
}
