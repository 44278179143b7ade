/** Greets people by name. */
export class Greeter {
  readonly #word: string

  constructor(word: string) {
    this.#word = word
  }

  greet(name: string): string {
    return `${this.#word}, ${name}!`
  }
}
