/** How a shipment ended. */
export const ShipResults = {
  /** The collector took it. */
  Sent: 'sent',
  /** There was no fresh snapshot to send. */
  Empty: 'empty',
  /** The last answer was no success. */
  Refused: 'refused',
  /** The last attempt brought no answer. */
  Unreachable: 'unreachable',
  /** The signal fired before the first attempt. */
  Stopped: 'stopped',
} as const
Object.freeze(ShipResults)

/** How a shipment ended. */
export type ShipResults = (typeof ShipResults)[keyof typeof ShipResults]

/** What became of a shipment. */
export interface ShipOutcome {
  readonly result: ShipResults
  /** HTTP status of the last answer; null when the last attempt brought none. */
  readonly status: number | null
  /** How often it was posted. */
  readonly attempts: number
  /**
   * A sentence for people: why it failed, or what the collector had to say though it took it. Null
   * when there is nothing to tell. It never holds a header's value or user info.
   */
  readonly notice: string | null
}
