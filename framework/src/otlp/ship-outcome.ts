/** Results of a shipment. */
export const ShipResults = {
  /** The collector accepted it. */
  Sent: 'sent',
  /** There was no fresh snapshot to send. */
  Empty: 'empty',
  /** The last response was not a success. */
  Refused: 'refused',
  /** The last attempt got no response. */
  Unreachable: 'unreachable',
  /** The signal aborted before the first attempt. */
  Stopped: 'stopped',
} as const
Object.freeze(ShipResults)

/** The result of a shipment. */
export type ShipResults = (typeof ShipResults)[keyof typeof ShipResults]

/** The outcome of a shipment. */
export interface ShipOutcome {
  readonly result: ShipResults
  /** HTTP status of the last response; null when the last attempt got none. */
  readonly status: number | null
  /** Number of attempts. */
  readonly attempts: number
  /**
   * A message for people: why it failed, or the collector's warning. Null when there is none. It
   * never contains header values or user info.
   */
  readonly notice: string | null
}
