import { escapeHtml } from '../../base/encoding/escape-html.ts'
import { statusText } from '../server/status.ts'

/** The built-in page of a status: the code and its text, nothing else. */
export function minimalPage(status: number, details = ''): string {
  const text = escapeHtml(statusText(status))
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8">` +
    `<meta name="viewport" content="width=device-width"><meta name="robots" content="noindex">` +
    `<title>${status} ${text}</title></head><body><h1>${status}</h1><p>${text}</p>${details}</body></html>\n`
  )
}

/** What a developer gets to see of a throwable, escaped. */
export function developerDetails(error: Error): string {
  return `<pre>${escapeHtml(error.stack ?? `${error.name}: ${error.message}`)}</pre>`
}
