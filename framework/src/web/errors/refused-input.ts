import { InvalidArgumentException } from '../../base/errors.ts'

/**
 * A client sent what can never work, such as a cursor that was not handed out here. Whoever catches
 * it has an argument that was refused like any other; if nobody does, the answer is a 400, and no
 * incident: strangers must not be able to fill a log.
 */
export class RefusedInput extends InvalidArgumentException {
  readonly status = 400
}
