/** An error of the driver, without its message, which contains the statement and its values. */
export interface DriverError {
  /** Error number of the server or of the driver, or 0. */
  readonly number: number
  /** SQLSTATE, or empty. */
  readonly state: string
  /** Name of the error, from the system (such as ECONNREFUSED) or the driver. */
  readonly name: string
  /** The message of the server. It may contain values. */
  readonly serverMessage: string
}

const firstDriverNumber = 45_000

/** Reads an error thrown by the driver. */
export function driverError(thrown: unknown): DriverError {
  const { errno, sqlState, code, sqlMessage } = Object(thrown)
  return {
    // System errors have negative numbers.
    number: typeof errno === 'number' && errno > 0 ? errno : 0,
    state: typeof sqlState === 'string' ? sqlState : '',
    name: typeof code === 'string' ? code : '',
    serverMessage: typeof sqlMessage === 'string' ? sqlMessage : '',
  }
}

/** Whether the error comes from the server, not from the driver or the system. */
export function isServerError({ number }: DriverError): boolean {
  return number > 0 && number < firstDriverNumber
}

/** The code to show: the number of the server, or the name. */
export function nativeCode(error: DriverError): string | null {
  if (isServerError(error)) return String(error.number)
  return error.name === '' ? null : error.name
}
