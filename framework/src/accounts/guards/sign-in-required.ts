import { HttpError } from '../../http/errors/http-error.ts'
import { singleChallenge } from './challenge-header.ts'

/** Thrown where only a signed-in user may go on: a 401, or the way to sign in behind `Authentication`. */
export class SignInRequired extends HttpError {
  constructor() {
    const headers = { 'WWW-Authenticate': singleChallenge({}) }
    super(401, 'Please sign in first.', { expose: true, headers })
  }
}
