import type { IncomingMessage, ServerResponse } from 'node:http'

/**
 * Tells a client that waits for `100 Continue` to send its body once somebody reads it: a body that is
 * refused is never sent. `_read` is documented as what a stream calls for its first bytes.
 */
export function continueOnRead(incoming: IncomingMessage, outgoing: ServerResponse): void {
  const read = incoming._read.bind(incoming)
  incoming._read = (size) => {
    incoming._read = read
    if (!outgoing.headersSent) outgoing.writeContinue()
    read(size)
  }
}
