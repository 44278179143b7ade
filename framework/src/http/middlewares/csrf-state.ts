/** What the steps of `Csrf` hand on to each other for one request, as `request.csrf`. */
export class CsrfState {
  /** Whether it needs no token. */
  isExempt = false
  /** Whether the guards have let it through. */
  hasPassedGuards = false
  /** Stands for the token in views; empty until a view has printed it. */
  placeholder = ''
  /** The masked token, once it has been read for this response. */
  token = ''
  /** Whether the response is an error page, for which no token is created. */
  isErrorPage = false
}
