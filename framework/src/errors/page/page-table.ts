import type { Row } from './page-context.ts'
import { html } from '../reports/page-text.ts'

/** Rows as an HTML table, the names as headers. */
export function table(rows: readonly Row[]): string {
  if (rows.length === 0) return '<p class="none">empty</p>'
  let body = ''
  for (const { name, value } of rows) {
    body += `<tr><th scope="row">${html(name)}</th><td>${html(value)}</td></tr>`
  }
  return `<table>${body}</table>`
}
