// Compiled by `npm run typecheck`, never run: each expected error is a promise of the types.
import { broadcastFrom, broadcastScope, type Broadcast } from '../../src/public/broadcast.ts'
import { defineProject } from '../../src/public/framework.ts'
import type { EventStream, Response } from '../../src/public/http.ts'

interface Note {
  readonly id: number
  readonly title: string
  readonly at: Date
}

interface Channels {
  notes: { added: Note; removed: { id: number } }
  [user: `user:${number}`]: { mail: { unread: number } }
}

export async function publish(broadcast: Broadcast<Channels>): Promise<void> {
  const note = { id: 1, title: 'one', at: new Date() }
  await broadcast.publish('notes', 'added', note)
  await broadcast.publish('user:7', 'mail', { unread: 1 })
  // @ts-expect-error no such channel
  await broadcast.publish('users', 'mail', { unread: 1 })
  // @ts-expect-error no such event
  await broadcast.publish('notes', 'changed', note)
  // @ts-expect-error the data of another event
  await broadcast.publish('notes', 'removed', note.title)
}

export function subscribe(broadcast: Broadcast<Channels>): void {
  broadcast.subscribe('notes', (event) => {
    if (event.name === 'removed') event.data.id.toFixed()
    // A date has become text.
    else event.data.at.slice(0, 4)
    // @ts-expect-error only one of the two events has a title
    return event.data.title
  })
  broadcast.subscribe('user:7', ({ data }) => data.unread.toFixed())
  // @ts-expect-error no such event on this channel
  broadcast.subscribe('notes', ({ name }) => name === 'mail')
  // @ts-expect-error the data of another channel
  broadcast.subscribe('user:7', ({ data }) => data.id)
  // @ts-expect-error no such channel
  broadcast.subscribe('user:ada', () => {})
}

export function send(response: Response, broadcast: Broadcast<Channels>): Response {
  const clock = response.events<{ tick: number }>()
  clock.send('tick', 1)
  // @ts-expect-error no such event
  clock.send('tock', 1)
  // @ts-expect-error a number
  clock.send('tick', 'one')

  // The events are those of the channels.
  const events = response.events(broadcast.channel('notes', 'user:7'))
  events.send('mail', { unread: 1 })
  events.send('removed', { id: 1 })
  // @ts-expect-error no such event
  events.send('tick', 1)
  // @ts-expect-error no such channel
  response.events(broadcast.channel('users'))
  // @ts-expect-error an event of the channel that was left out
  response.events(broadcast.channel('notes')).send('mail', { unread: 1 })
  // @ts-expect-error the data is missing
  clock.send('tick')

  const counted: EventStream<{ count: number }> = response.events<{ count: number }>(count())
  // @ts-expect-error a generator of other events
  response.events<{ tick: number }>(count())
  counted.end()
  return response
}

async function* count() {
  yield { name: 'count' as const, data: 1 }
}

// Values of the scope can be used as options.
defineProject({
  name: 'notes',
  configs: { broadcast: broadcastScope },
  services: async ({ configs }) => ({
    broadcast: await broadcastFrom<Channels>(configs.broadcast),
  }),
  routes: [],
})
