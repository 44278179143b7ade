import { HttpError } from 'framework/http'
import type { Request } from 'framework/http'
import type { Services } from '../services.ts'
import { listPlaces } from './list-places.ts'
import type { Place } from './list-places.ts'

/** Every place where the account of a request is signed in. */
export async function placesOf(
  { sessions, trust }: Pick<Services, 'sessions' | 'trust'>,
  { identity, session }: Request,
): Promise<readonly Place[]> {
  if (identity === null) throw new HttpError(401)
  const [own, devices, live] = await Promise.all([
    session.get('device'),
    trust.list(identity.id),
    sessions.list(identity.id, { current: session }),
  ])
  return listPlaces({ sessions: live, devices, own })
}
