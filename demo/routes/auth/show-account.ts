import { HttpError } from 'framework/http'
import type { Handler } from 'framework/http'
import { describeAgent } from '../../accounts/describe-agent.ts'
import type { Services } from '../../services.ts'

/** Somebody's account, with every place where it is signed in. */
export function showAccount({ pages, sessions, trust }: Services): Handler {
  return async (request, response) => {
    const { identity, session } = request
    if (identity === null) throw new HttpError(401)
    const [own, devices, live] = await Promise.all([
      session.get('device'),
      trust.list(identity.id),
      sessions.list(identity.id, { current: session }),
    ])
    return pages.show(request, response, 'account', {
      devices: devices.map((device) => shown(device, device.handle === own)),
      sessions: live.map((one) => shown(one, one.current)),
    })
  }
}

function shown<Entry extends { readonly agent: string }>(entry: Entry, current: boolean) {
  return { ...entry, ...describeAgent(entry.agent), current }
}
