import { applicationKey } from 'framework'
import type { Boot } from 'framework'
import type { Database } from 'framework/database'
import { mailerFrom } from 'framework/mail'
import { Queue, measureQueue, queueStoreFrom } from 'framework/queue'
import type { Configs } from './configs/manifest.ts'

/** Builds the mailer, and the queue that holds mails when MAIL_QUEUE is on. */
export async function openMails(boot: Boot<Configs>, database: Database) {
  const { configs } = boot
  const jobs = await queueStoreFrom(configs.queue, { database, redisUrl: configs.redis.url })
  const encrypter = applicationKey(configs.key, boot).encrypter('queue')
  const mails = new Queue('mail', jobs, { ...configs.queue, encrypter })
  return {
    jobs,
    mails,
    mailer: mailerFrom(configs.mail, boot, { queue: mails }),
    queueMetrics: measureQueue(mails),
  }
}
