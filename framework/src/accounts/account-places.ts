import type { Device } from './tokens/device.ts'

/** A place where an account is signed in, or can be without a password. Times are epoch seconds. */
export interface AccountPlace {
  /** The user agent, as the client has sent it. */
  readonly agent: string
  /** The address it was last used from. */
  readonly peer: string
  readonly created: number
  readonly used: number
  /** Whether it is a trusted device, which signs in again without a password. */
  readonly remembered: boolean
}

/** A live session, as `Sessions.list` returns it. */
export interface ListedAccountSession extends Omit<AccountPlace, 'remembered'> {
  /** Handle of the device that began or revived it; null for none. */
  readonly device: string | null
}

/** Each place once, the last used first: a trusted device stands for its sessions. */
export function accountPlaces(
  sessions: readonly ListedAccountSession[],
  devices: readonly Device[],
): readonly AccountPlace[] {
  const handles = new Set<string | null>(devices.map(({ handle }) => handle))
  const remembered = devices.map((device) => {
    const own = sessions.filter((session) => session.device === device.handle)
    const last = own.reduce<Omit<AccountPlace, 'remembered'>>(
      (latest, session) => (session.used > latest.used ? session : latest),
      device,
    )
    return { ...placeOf(last, true), created: device.created }
  })
  const others = sessions.filter(({ device }) => !handles.has(device))
  const places = [...remembered, ...others.map((session) => placeOf(session, false))]
  return places.toSorted((one, other) => other.used - one.used)
}

function placeOf(
  { agent, peer, created, used }: Omit<AccountPlace, 'remembered'>,
  remembered: boolean,
): AccountPlace {
  return { agent, peer, created, used, remembered }
}
