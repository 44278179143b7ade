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

/** Whether keys go into a field and are no commands. */
export function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input:not([type=radio]), select')
}

/** Makes a table show these rows; new rows are cloned from the template. */
export function fillRows(
  body: HTMLTableSectionElement,
  rows: readonly (readonly string[])[],
  template: string,
): void {
  const { content } = byId(template, HTMLTemplateElement)
  while (body.rows.length > rows.length) body.deleteRow(-1)
  while (body.rows.length < rows.length) body.append(content.cloneNode(true))
  for (const [at, texts] of rows.entries()) {
    const cells = body.rows[at]?.querySelectorAll('[data-cell]') ?? []
    for (const [index, cell] of [...cells].entries()) setText(cell, texts[index] ?? '')
  }
}

/** A time of day, from epoch seconds. */
export function clock(at: number): string {
  return new Date(at * 1000).toLocaleTimeString('en-GB')
}
