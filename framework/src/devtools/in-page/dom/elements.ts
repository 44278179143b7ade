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
    for (const [index, cell] of [...cells].entries()) {
      const text = texts[index] ?? ''
      setText(cell, text)
      // A link that looks for its text.
      const { href } = cell instanceof HTMLAnchorElement ? cell.dataset : {}
      if (href !== undefined) cell.setAttribute('href', href + encodeURIComponent(text))
    }
  }
}

/** Makes a table show rows of where each leads and its texts. The focus follows its row. */
export function fillLinks(
  body: HTMLTableSectionElement,
  rows: readonly (readonly string[])[],
): void {
  const focused = document.activeElement?.getAttribute('href')
  fillRows(
    body,
    rows.map(([, ...texts]) => texts),
    'row',
  )
  for (const [at, [href = '']] of rows.entries()) {
    const link = within(body.rows.item(at) ?? body, 'a', HTMLAnchorElement)
    link.setAttribute('href', href)
    if (href === focused && body.contains(document.activeElement)) link.focus()
  }
  byId('nothing', HTMLElement).hidden = rows.length > 0
}

/** Whether these are rows of texts. */
export function isRows(given: unknown): given is readonly (readonly string[])[] {
  return (
    Array.isArray(given) &&
    given.every((row) => Array.isArray(row) && row.every((text) => typeof text === 'string'))
  )
}

/** A time of day, from epoch seconds. */
export function clock(at: number): string {
  return new Date(at * 1000).toLocaleTimeString('en-GB')
}
