export { Channel, type Listener, type ListenerFailure } from '../services/events/channel.ts'
export { Emitter } from '../services/events/emitter.ts'
export { event, type Event, type PayloadOf } from '../services/events/event.ts'
