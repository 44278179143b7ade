import { FileLane } from '../../src/mail/file-lane.ts'
import { Mailer } from '../../src/mail/mailer.ts'
import { Message } from '../../src/mail/message.ts'

// Writes numbered mails, a few at a time, all in the same second of a fixed clock.
const [folder = '', name = '', count = '0'] = process.argv.slice(2)
const mailer = new Mailer(new FileLane(folder, { clock: () => 1_700_000_000 }))

async function write(number: number): Promise<void> {
  const delivered = await mailer.deliver(
    new Message({
      to: 'ada@example.org',
      subject: `${name} ${number}`,
      text: `${'a line of a letter that is long enough\n'.repeat(400)}the end of ${name} ${number}\n`,
    }),
  )
  if (!delivered) process.exitCode = 1
}

for (let number = 0; number < Number(count); number += 4) {
  await Promise.all([0, 1, 2, 3].map((more) => write(number + more)))
}
