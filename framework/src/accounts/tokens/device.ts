import { hash } from 'node:crypto'

/** The client that uses a device. */
export interface DeviceUse {
  /** The user agent. */
  readonly agent?: string
  /** The client's address. */
  readonly peer?: string
}

/** A trusted device, as listed to its owner. Times are epoch seconds. */
export interface Device {
  /** Identifies it on pages and in URLs. */
  readonly handle: string
  readonly agent: string
  readonly peer: string
  readonly created: number
  /** When it last signed someone in, or was created. */
  readonly used: number
  readonly expires: number
}

/**
 * The public id of a device, for pages and URLs. The selector must not appear there: with it and
 * any wrong validator, a reader could get all devices of the owner dropped.
 */
export function deviceHandle(selector: string): string {
  return hash('sha256', `device handle ${selector}`, 'hex').slice(0, 32)
}
