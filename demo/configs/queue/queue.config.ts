import { queueScope } from 'framework/queue'

// QUEUE_DRIVER and the rest.
export default queueScope
