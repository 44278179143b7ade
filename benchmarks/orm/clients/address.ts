/** Where a server listens and who asks, for drivers that want it in parts. */
export interface Address {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly password: string
  readonly database: string
}

/** The parts of a URL. */
export function addressOf(url: string): Address {
  const { hostname, port, username, password, pathname } = new URL(url)
  return {
    host: hostname,
    port: Number(port),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    database: pathname.slice(1),
  }
}

/** Options of `mysql2`: times keep their microseconds, 64-bit integers their digits, as texts. */
export const exactTexts = {
  dateStrings: true,
  supportBigNumbers: true,
  bigNumberStrings: true,
} as const

/** The file of a URL such as `sqlite:/tmp/posts.sqlite`. */
export function fileOf(url: string): string {
  return url.slice('sqlite:'.length)
}
