export {
  Emitter,
  event,
  EventChannel,
  type Event,
  type Listener,
  type ListenerFailure,
  type PayloadOf,
} from '../events/emitter.ts'
