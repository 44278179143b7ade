let line = ''

/** The `Date` header line of this second. */
export function dateLine(): string {
  if (line !== '') return line
  const now = new Date()
  line = `Date: ${now.toUTCString()}\r\n`
  setTimeout(forget, 1000 - now.getMilliseconds()).unref()
  return line
}

function forget(): void {
  line = ''
}
