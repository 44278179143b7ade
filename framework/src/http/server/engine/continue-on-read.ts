import type { IncomingMessage, ServerResponse } from 'node:http'

/**
 * Sends `100 Continue` when the body is first read, so that a client that waits for it never sends a
 * refused body. `_read` is documented as the method a stream calls for its first bytes.
 */
export function continueOnRead(incoming: IncomingMessage, outgoing: ServerResponse): void {
  const read = incoming._read.bind(incoming)
  incoming._read = (size) => {
    incoming._read = read
    if (!outgoing.headersSent) outgoing.writeContinue()
    read(size)
  }
}
