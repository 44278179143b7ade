/** What is alike in the URLs of servers. `refuse` makes the errors, which never show the password. */
export class ServerUrl {
  readonly #refuse: (reason: string) => Error
  /** Those that were not asked for yet. */
  readonly #options: URLSearchParams

  constructor(text: string, refuse: (reason: string) => Error) {
    this.#refuse = refuse
    this.#options = new URLSearchParams(/\?(.*)/s.exec(text)?.[1])
  }

  /** Where the server is, and who connects. */
  server(
    { hostname, port, username, password, hash }: URL,
    defaultPort: number,
  ): Record<'host' | 'user' | 'password', string> & { port: number } {
    if (hostname === '') throw this.#refuse('it names no host')
    if (hash !== '') throw this.#refuse('it contains a #; write it as %23')
    return {
      host: this.decoded(hostname).replace(/^\[(.*)\]$/, '$1'),
      port: Number(port) || defaultPort,
      user: this.decoded(username),
      password: this.decoded(password),
    }
  }

  decoded(part: string): string {
    try {
      return decodeURIComponent(part)
    } catch {
      throw this.#refuse('it contains a % that is not part of %xx; write it as %25')
    }
  }

  /** An option; null if it is not given. */
  text(name: string): string | null {
    const text = this.#options.get(name)
    this.#options.delete(name)
    return text
  }

  number(
    name: string,
    fallback: number,
    [least, most]: readonly [number, number],
    noun: string = 'a number',
  ): number {
    const text = this.text(name)
    if (text === null) return fallback
    const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN
    if (value >= least && value <= most) return value
    throw this.#refuse(`${name} must be ${noun} from ${least} to ${most}`)
  }

  /** The first word is the default. */
  choice<const Words extends readonly [string, ...string[]]>(
    name: string,
    words: Words,
  ): Words[number] {
    const text = this.text(name) ?? words[0]
    const word = words.find((candidate) => candidate === text)
    if (word !== undefined) return word
    const listed = words.length === 2 ? words.join(' or ') : `one of ${words.join(', ')}`
    throw this.#refuse(`${name} must be ${listed}`)
  }

  /** The name of an option that was not asked for. */
  get unknown(): string | undefined {
    return this.#options.keys().next().value
  }
}
