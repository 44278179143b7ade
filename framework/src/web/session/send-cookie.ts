import type { HeaderList } from '../response/header-list.ts'

/** An answer, as far as its head goes. */
interface Head {
  readonly headers: HeaderList
}

/** Adds a `Set-Cookie` line that belongs to one visitor, once. */
export function sendCookie({ headers }: Head, line: string): void {
  if (headers.all('Set-Cookie').includes(line)) return
  headers.append('Set-Cookie', line)
  // A cache that others share must not hand out the cookie of one.
  if (!headers.has('Cache-Control')) headers.append('Cache-Control', 'private')
}

/** The same in place of whatever the answer says of the cookie so far: of two lines the last counts. */
export function replaceCookie(response: Head, name: string, line: string): void {
  const { headers } = response
  const others = headers.all('Set-Cookie').filter((other) => !isOf(other, name))
  headers.delete('Set-Cookie')
  for (const other of others) headers.append('Set-Cookie', other)
  sendCookie(response, line)
}

/** Whether the answer says anything of a cookie. */
export function saysCookie({ headers }: Head, name: string): boolean {
  return headers.all('Set-Cookie').some((line) => isOf(line, name))
}

function isOf(line: string, name: string): boolean {
  return line.startsWith(`${name}=`)
}
