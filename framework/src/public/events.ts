export { EventChannel, type Listener, type ListenerFailure } from '../events/event-channel.ts'
export { Emitter } from '../events/emitter.ts'
export { event, type Event, type PayloadOf } from '../events/event.ts'
