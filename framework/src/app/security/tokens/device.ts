import { hash } from 'node:crypto'

/** What is known of whoever uses a device. */
export interface DeviceUse {
  /** The browser, as it named itself. */
  readonly agent?: string
  /** The address it came from. */
  readonly peer?: string
}

/** A trusted device in the list of its owner. Times are epoch seconds. */
export interface Device {
  /** What it is called on pages and in URLs. */
  readonly handle: string
  readonly agent: string
  readonly peer: string
  readonly created: number
  /** When it signed somebody in last, or was made. */
  readonly used: number
  readonly expires: number
}

/**
 * What a device is called on pages and in URLs. The selector never stands there: together with any
 * wrong validator it would let whoever reads it drop all devices of the owner.
 */
export function deviceHandle(selector: string): string {
  return hash('sha256', `device handle ${selector}`, 'hex').slice(0, 32)
}
