import type { Device } from 'framework/auth'
import type { SessionSummary } from 'framework/sessions'
import { describeAgent } from './describe-agent.ts'
import type { DescribedAgent } from './describe-agent.ts'

/** A browser that is signed in, or comes back without a password. Times are epoch seconds. */
export interface Place extends DescribedAgent {
  readonly peer: string
  readonly used: number
  /** Whether it is the browser that asks. */
  readonly current: boolean
  /** Whether it comes back without a password, until `expires`. */
  readonly remembered: boolean
  readonly expires: number | null
  /** Where the form leads that ends it. */
  readonly action: string
}

/** What is known of where somebody is signed in. */
export interface Access {
  /** The last used one first, as `sessions.list` gives them. */
  readonly sessions: readonly SessionSummary[]
  readonly devices: readonly Device[]
  /** Handle of the device of the browser that asks, whose session may be too new to be listed. */
  readonly own: unknown
}

/**
 * Every place where somebody is signed in, once: a remembered device with the sessions that belong to
 * it, or a session without a device. The browser that asks comes first, then the last used one.
 */
export function placesOf({ sessions, devices, own }: Access): Place[] {
  const remembered = devices.map((device) => {
    const live = sessions.filter((session) => session.device === device.handle)
    const [last = device] = live
    return placeOf(last.used > device.used ? last : device, {
      current: device.handle === own || live.some(({ current }) => current),
      expires: device.expires,
      // A remembered browser comes back as long as its device does, so they end together.
      revoke: `/devices/${device.handle}/revoke`,
    })
  })
  const handles = new Set<string | null>(devices.map(({ handle }) => handle))
  const others = sessions
    .filter(({ device }) => !handles.has(device))
    .map((session) =>
      placeOf(session, {
        current: session.current,
        expires: null,
        revoke: `/sessions/${session.handle}/revoke`,
      }),
    )
  return [...remembered, ...others].toSorted(
    (one, other) => Number(other.current) - Number(one.current) || other.used - one.used,
  )
}

function placeOf(
  { agent, peer, used }: Pick<Device, 'agent' | 'peer' | 'used'>,
  { current, expires, revoke }: { current: boolean; expires: number | null; revoke: string },
): Place {
  const action = current ? '/logout' : revoke
  const remembered = expires !== null
  return { ...describeAgent(agent), peer, used, current, remembered, expires, action }
}
