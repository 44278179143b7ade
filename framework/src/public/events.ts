export {
  EventChannel,
  type Listener,
  type ListenerFailure,
} from '../services/events/event-channel.ts'
export { Emitter } from '../services/events/emitter.ts'
export { event, type Event, type PayloadOf } from '../services/events/event.ts'
