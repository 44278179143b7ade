import { InvalidArgumentException } from '../base/errors.ts'

// A mail line has at most 998 characters, and a text without spaces cannot be folded.
const maxLength = 900
const control = /\p{Cc}/u
const headerForm = /^[A-Za-z][A-Za-z0-9-]{0,75}$/
// These have options of their own or are written by us; duplicates would contradict each other.
const managed =
  /^(?:from|sender|to|cc|bcc|reply-to|subject|date|message-id|mime-version|content-.*|return-path|delivered-to|received)$/i

/**
 * Asserts that a text is safe in a header. A line break would let it add headers, such as a `Bcc`,
 * or start the body. Errors do not show the text, which may be secret.
 * @throws InvalidArgumentException (E_MAIL_HEADER)
 */
export function assertHeaderText(field: string, text: unknown): asserts text is string {
  if (typeof text !== 'string') throw invalidHeader(field, `must be a string, got ${typeof text}`)
  const at = text.search(control)
  if (at !== -1) {
    throw invalidHeader(field, `contains a control character at ${at}; a header is a single line`)
  }
  if (text.length > maxLength) {
    throw invalidHeader(
      field,
      `has ${text.length} characters; at most ${maxLength} fit into a header`,
    )
  }
}

/**
 * A validated copy of a message's additional headers.
 * @throws InvalidArgumentException (E_MAIL_HEADER) for an invalid name or value, and for headers that
 * the mailer writes itself.
 */
export function checkedHeaders(
  headers: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  for (const [name, value] of Object.entries(headers)) {
    if (!headerForm.test(name)) {
      throw invalidHeader(
        `header name ${JSON.stringify(name.slice(0, 100))}`,
        'must be letters, digits and "-", starting with a letter',
      )
    }
    if (managed.test(name)) throw invalidHeader(`header ${name}`, 'is written by the mailer itself')
    assertHeaderText(`header ${name}`, value)
  }
  return Object.freeze({ ...headers })
}

function invalidHeader(field: string, reason: string): InvalidArgumentException {
  return new InvalidArgumentException('E_MAIL_HEADER', `${field} ${reason}`)
}
