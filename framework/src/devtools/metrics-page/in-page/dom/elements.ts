/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { byId, setText } from '../../../in-page/dom/elements.ts'

/** An SVG element. */
export function shape(
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  text = '',
): SVGElement {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name)
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value))
  element.textContent = text
  if (element instanceof SVGElement) return element
  throw new TypeError(`${name} is not an SVG element`)
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
