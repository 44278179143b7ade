import { InvalidArgumentException } from '../../base/errors.ts'

// A line of a mail ends at 998 characters, and a text without spaces cannot be folded.
const maxLength = 900
const control = /\p{Cc}/u
const headerName = /^[A-Za-z][A-Za-z0-9-]{0,75}$/
// Each of these has an option of its own or is written by us; a second one would contradict it.
const managed =
  /^(?:from|sender|to|cc|bcc|reply-to|subject|date|message-id|mime-version|content-.*|return-path|delivered-to|received)$/i

/**
 * Sees that a text can stand in a header. A line break in it would begin a header of the sender's
 * choice, such as a `Bcc`, or the body itself. The text is not shown: it may hold a secret.
 * @throws InvalidArgumentException (E_MAIL_HEADER)
 */
export function assertHeaderText(field: string, text: unknown): asserts text is string {
  if (typeof text !== 'string') throw refused(field, `must be a text, not ${typeof text}`)
  const at = text.search(control)
  if (at !== -1) throw refused(field, `holds a control character at ${at}; a header is one line`)
  if (text.length > maxLength) {
    throw refused(field, `has ${text.length} characters; at most ${maxLength} fit into a header`)
  }
}

/**
 * A copy of the headers that a message adds.
 * @throws InvalidArgumentException (E_MAIL_HEADER) for a name or value no header can have, and for
 * headers that the message has anyway.
 */
export function checkedHeaders(
  headers: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  for (const [name, value] of Object.entries(headers)) {
    if (!headerName.test(name)) {
      throw refused(
        `header name ${JSON.stringify(name.slice(0, 100))}`,
        'must be letters, digits and "-", a letter first',
      )
    }
    if (managed.test(name)) throw refused(`header ${name}`, 'is written by the mailer itself')
    assertHeaderText(`header ${name}`, value)
  }
  return Object.freeze({ ...headers })
}

function refused(field: string, reason: string): InvalidArgumentException {
  return new InvalidArgumentException('E_MAIL_HEADER', `${field} ${reason}`)
}
