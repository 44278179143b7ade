import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isEmailAddress, normalEmail } from '../../src/accounts/email-address.ts'
import { readMail } from '../../src/mail/read-mail.ts'
import { selfSigned } from '../../src/base/tls/self-signed.ts'
import { freePort } from '../support/free-port.ts'
import { plainAnswer, scriptedSmtp } from '../support/scripted-smtp.ts'
import { smtpServer } from '../support/smtp-server.ts'
import { waitFor } from '../support/wait-for.ts'
import { hello, mailerTo } from './mail-parts.ts'

const login = { user: 'shop', pass: 'hunter2-secret' }

for (const secure of ['tls', 'starttls'] as const) {
  test(`${secure}: a message arrives complete and over TLS`, async (t) => {
    const server = await smtpServer(t, { secure })
    const { mailer, told } = mailerTo(t, { ...server, secure })
    const attachments = [
      { name: 'a.bin', content: Uint8Array.from({ length: 256 }, (_, at) => at) },
    ]
    const text = '.\n..\n.dot\nFrom the start\nGrüße 👋\n\n.\n'
    assert.equal(await mailer.deliver(hello({ text, html: '<p>Grüße', attachments })), true)
    const [message, ...others] = server.received
    assert.deepEqual(others, [])
    assert.ok(message !== undefined)
    assert.equal(message.secure, true)
    assert.equal(message.from, 'no-reply@localhost')
    assert.deepEqual(message.to, ['ada@example.org'])
    const mail = await readMail(message.raw)
    assert.equal(mail.text, text)
    assert.equal(mail.html?.trim(), '<p>Grüße')
    assert.deepEqual(
      [...(mail.attachments[0]?.content ?? [])],
      [...(attachments[0]?.content ?? [])],
    )
    assert.deepEqual(told, [])
  })

  test(`${secure}: an untrusted certificate ends the conversation`, async (t) => {
    const server = await smtpServer(t, { secure, login })
    const ca = selfSigned().cert
    const { mailer, told } = mailerTo(t, { ...server, secure, ca, ...named })
    assert.equal(await mailer.deliver(hello()), false)
    assert.deepEqual(server.received, [])
    assert.match(told[0] ?? '', /could not be reached: DEPTH_ZERO_SELF_SIGNED_CERT/)
  })

  test(`${secure}: a certificate for another host ends the conversation`, async (t) => {
    const server = await smtpServer(t, { secure, hosts: ['mx.example'] })
    const { mailer, told } = mailerTo(t, { ...server, secure })
    assert.equal(await mailer.deliver(hello()), false)
    assert.deepEqual(server.received, [])
    assert.match(told[0] ?? '', /could not be reached: ERR_TLS_CERT_ALTNAME_INVALID/)
  })
}

const named = { username: login.user, password: login.pass }

test('starttls never continues in plain text, whether TLS is not offered or stripped on the way', async (t) => {
  for (const ehlo of ['250 AUTH PLAIN', '250 fine', '500 what?']) {
    const server = await scriptedSmtp(t, (line) =>
      line.startsWith('EHLO') ? ehlo : plainAnswer(line),
    )
    const { mailer, told } = mailerTo(t, { ...server, ...named })
    assert.equal(await mailer.deliver(hello()), false)
    assert.deepEqual(
      server.heard.filter((line) => !/^(EHLO .*|STARTTLS|QUIT)$/.test(line)),
      [],
    )
    assert.match(
      told[0] ?? '',
      /does not offer TLS: it answered 502 5\.5\.1 to STARTTLS|answered 500 to EHLO/,
    )
  }
})

test('a dry run connects and logs in like a message, but names nobody', async (t) => {
  const server = await smtpServer(t, { login })
  const { mailer, told } = mailerTo(t, { ...server, ...named })
  assert.equal(await mailer.deliver(hello(), { dryRun: true }), true)
  assert.deepEqual([server.received, server.steps], [[], ['connect']])
  assert.equal(await mailer.deliver(hello()), true)
  assert.equal(await mailer.deliver(hello(), { dryRun: true }), true)
  assert.deepEqual([server.received.length, told], [1, []])
  const closed = mailerTo(t, { ...server, username: 'shop', password: 'swordfish' })
  assert.equal(await closed.mailer.deliver(hello(), { dryRun: true }), false)
  assert.match(closed.told[0] ?? '', /did not accept the login/)
})

test('none uses plain text even with a server that offers TLS', async (t) => {
  const server = await smtpServer(t)
  const { mailer } = mailerTo(t, { ...server, secure: 'none' })
  assert.equal(await mailer.deliver(hello()), true)
  assert.equal(server.received[0]?.secure, false)
})

test('it logs in, and a wrong login is a failed delivery that shows no password', async (t) => {
  const server = await smtpServer(t, { login })
  const { mailer } = mailerTo(t, { ...server, ...named })
  assert.equal(await mailer.deliver(hello()), true)
  assert.equal(server.received[0]?.user, 'shop')
  const wrong = mailerTo(t, { ...server, username: 'shop', password: 'swordfish-secret' })
  assert.equal(await wrong.mailer.deliver(hello()), false)
  assert.equal(wrong.told.length, 1)
  assert.match(wrong.told[0] ?? '', /did not accept the login: it answered 535/)
  assert.doesNotMatch(wrong.told.join(), /swordfish|secret/)
  assert.equal(server.received.length, 1)
})

test('with a login configured, nothing is sent to a server that offers none', async (t) => {
  const server = await scriptedSmtp(t, plainAnswer)
  const { mailer, told } = mailerTo(t, { ...server, secure: 'none', ...named })
  assert.equal(await mailer.deliver(hello()), false)
  assert.equal(
    server.heard.some((line) => line.startsWith('MAIL')),
    false,
  )
  assert.match(told[0] ?? '', /did not accept the login/)
})

for (const [step, code] of [
  ['connect', 421],
  ['mail', 451],
  ['rcpt', 450],
  ['data', 452],
] as const) {
  test(`${code} to ${step}, then success: the message arrives once`, async (t) => {
    const server = await smtpServer(t, {
      refuse: (at, _address, time) => (at === step && time === 1 ? code : null),
    })
    const { mailer, told } = mailerTo(t, server)
    assert.equal(await mailer.deliver(hello()), true)
    assert.equal(server.received.length, 1)
    assert.deepEqual(told, [])
  })

  test(`${code} to ${step} every time: two attempts, then a failed delivery`, async (t) => {
    const server = await smtpServer(t, { refuse: (at) => (at === step ? code : null) })
    const { mailer, told } = mailerTo(t, server)
    assert.equal(await mailer.deliver(hello()), false)
    assert.equal(server.steps.filter((line) => line.startsWith(step)).length, 2)
    assert.equal(told.length, 1)
    assert.match(told[0] ?? '', new RegExp(`answered ${code}`))
  })
}

for (const [step, code] of [
  ['mail', 550],
  ['rcpt', 550],
  ['data', 554],
] as const) {
  test(`${code} to ${step}: one attempt, and the server's text is not repeated`, async (t) => {
    const server = await smtpServer(t, { refuse: (at) => (at === step ? code : null) })
    const { mailer, told, errors } = mailerTo(t, server)
    assert.equal(await mailer.deliver(hello()), false)
    assert.equal(server.steps.filter((line) => line.startsWith(step)).length, 1)
    assert.equal(told.length, 1)
    assert.match(told[0] ?? '', new RegExp(`answered ${code} 5\\.7\\.1 to `))
    assert.doesNotMatch(told[0] ?? '', /refused:|secret-verifier|ada@example/)
    assert.equal(errors[0]?.permanent, true)
  })
}

const three = ['ada@example.org', 'bob@example.org', 'cy@example.org']

test('a temporarily refused mailbox is retried alone', async (t) => {
  const server = await smtpServer(t, {
    refuse: (step, address, time) =>
      step === 'rcpt' && address.startsWith('bob') && time === 1 ? 450 : null,
  })
  const { mailer } = mailerTo(t, server)
  assert.equal(await mailer.deliver(hello({ to: three })), true)
  assert.deepEqual(
    server.received.map(({ to }) => to),
    [['ada@example.org', 'cy@example.org'], ['bob@example.org']],
  )
})

test('a refused mailbox fails the delivery; the others get the mail, once', async (t) => {
  const server = await smtpServer(t, {
    refuse: (step, address) => (step === 'rcpt' && address.startsWith('bob') ? 550 : null),
  })
  const { mailer, told, errors } = mailerTo(t, server)
  assert.equal(await mailer.deliver(hello({ to: three })), false)
  assert.deepEqual(
    server.received.map(({ to }) => to),
    [['ada@example.org', 'cy@example.org']],
  )
  assert.match(told[0] ?? '', /^1 of 3 mailboxes did not get the message: .* answered 550 5\.7\.1/)
  assert.equal(errors[0]?.partial, true)
})

for (const silent of ['', 'EHLO', 'MAIL', 'RCPT', 'DATA', '.']) {
  test(`a server that stops responding after ${silent || 'the connection'} is abandoned in time`, async (t) => {
    const server = await scriptedSmtp(t, (line) => {
      const reached = silent === '' ? line === '' : line.startsWith(silent)
      return reached ? null : plainAnswer(line)
    })
    const { mailer, told } = mailerTo(t, { ...server, secure: 'none', timeout: 0.4 })
    assert.equal(await mailer.deliver(hello()), false)
    assert.equal(told.length, 1)
    assert.match(told[0] ?? '', /took longer than 0\.4 s/)
    // The server may have the mail: it must not get it twice.
    assert.ok(server.heard.filter((line) => line === '.').length <= 1)
  })
}

test('a mail that was sent completely is not sent again, even if the server disconnects without a reply', async (t) => {
  let messages = 0
  const server = await scriptedSmtp(t, (line, socket) => {
    if (line !== '.') return plainAnswer(line)
    messages += 1
    if (messages === 2) socket.destroy()
    return messages === 2 ? null : '250 taken'
  })
  const { mailer, told } = mailerTo(t, { ...server, secure: 'none' })
  const outcomes = [true, false, true]
  for (const outcome of outcomes) assert.equal(await mailer.deliver(hello()), outcome)
  assert.equal(messages, 3)
  assert.equal(told.length, 1)
  assert.match(told[0] ?? '', /could not be reached: ECONNECTION/)
})

test('a server that never ends a line is abandoned in time', async (t) => {
  const timers = new Set<NodeJS.Timeout>()
  t.after(() => timers.forEach((timer) => clearInterval(timer)))
  const server = await scriptedSmtp(t, (line, socket) => {
    if (!line.startsWith('EHLO')) return plainAnswer(line)
    timers.add(setInterval(() => socket.write('250-still here\r\n'), 20))
    return null
  })
  const { mailer, told } = mailerTo(t, { ...server, secure: 'none', timeout: 0.4 })
  assert.equal(await mailer.deliver(hello()), false)
  assert.match(told[0] ?? '', /took longer than 0\.4 s/)
})

test('a server that is down is a failed delivery', async (t) => {
  const { mailer, told } = mailerTo(t, { port: await freePort() })
  assert.equal(await mailer.deliver(hello()), false)
  assert.match(told[0] ?? '', /could not be reached: ECONNREFUSED/)
})

test('many mails share a few connections', async (t) => {
  const server = await smtpServer(t)
  const { mailer } = mailerTo(t, { ...server, connections: 3 })
  const sent = await Promise.all(
    Array.from({ length: 60 }, (_, at) => mailer.deliver(hello({ subject: `RawMessage ${at}` }))),
  )
  assert.ok(sent.every((outcome) => outcome))
  const mails = await Promise.all(server.received.map(({ raw }) => readMail(raw)))
  const subjects = mails.map((mail) => mail.header('subject'))
  assert.equal(new Set(subjects).size, 60)
  assert.equal(subjects.length, 60)
  assert.ok(server.sockets.most <= 3, `${server.sockets.most} at once`)
  assert.ok(server.sockets.all <= 3, `${server.sockets.all} in all`)
})

test('a connection that the server closed meanwhile is not a failure', async (t) => {
  const server = await smtpServer(t)
  const { mailer } = mailerTo(t, server)
  assert.equal(await mailer.deliver(hello()), true)
  server.drop()
  await waitFor('the end of the connection', () => server.sockets.open === 0)
  assert.equal(await mailer.deliver(hello()), true)
  assert.equal(server.received.length, 2)
})

test('mails queued behind a server that hangs fail, and are never sent later', async (t) => {
  const held = Promise.withResolvers<void>()
  let underWay = 0
  const hold = (): Promise<void> => {
    underWay += 1
    return held.promise
  }
  const server = await smtpServer(t, { secure: 'none', hold })
  const settings = { ...server, secure: 'none' } as const
  const { mailer } = mailerTo(t, { ...settings, connections: 2, timeout: 1 })
  const outcomes = await Promise.all([1, 2, 3, 4, 5, 6].map(() => mailer.deliver(hello())))
  assert.deepEqual(outcomes, [false, false, false, false, false, false])
  assert.ok(underWay <= 2, `${underWay} were under way`)
  held.resolve()
  await waitFor('those that were under way', () => server.received.length >= underWay)
  const next = mailerTo(t, settings)
  assert.equal(await next.mailer.deliver(hello()), true)
  // These and the last one, which was also held.
  assert.equal(server.received.length, underWay)
})

test('closing ends the connections after the mails in progress', async (t) => {
  const server = await smtpServer(t)
  const { mailer } = mailerTo(t, server)
  const delivering = mailer.deliver(hello())
  await mailer.close()
  assert.equal(await delivering, true)
  await waitFor('the end of the connections', () => server.sockets.open === 0)
})

test('a non-ASCII address arrives unchanged', async (t) => {
  const server = await smtpServer(t)
  const { mailer } = mailerTo(t, server)
  assert.equal(await mailer.deliver(hello({ to: 'Jürgen <jürgen@bücher.example>' })), true)
  assert.deepEqual(server.received[0]?.to, ['jürgen@bücher.example'])
  const mail = await readMail(server.received[0]?.raw ?? Buffer.of())
  assert.equal(mail.header('to'), 'Jürgen <jürgen@bücher.example>')
})

test('every address that an account may have gets its mail, from any server', async (t) => {
  // A server without extensions, so in ASCII, which would refuse an invalid mailbox.
  const plain = await scriptedSmtp(t, plainAnswer)
  const proper = await smtpServer(t)
  const typed = ["o'brien@example.com", 'ada@my--host.com', 'ada@bücher.example', '{a}=b/c@x.org']
  for (const server of [{ port: plain.port, secure: 'none' } as const, proper]) {
    const { mailer } = mailerTo(t, server)
    for (const text of typed) {
      assert.ok(isEmailAddress(text))
      assert.equal(await mailer.deliver(hello({ to: normalEmail(text) ?? '' })), true)
    }
  }
  assert.deepEqual(
    plain.heard.filter((line) => line.startsWith('RCPT')),
    typed.map((text) => `RCPT TO:<${text.replace('bücher', 'xn--bcher-kva')}>`),
  )
  // It shows the domain in Unicode again.
  assert.deepEqual(
    proper.received.flatMap(({ to }) => to),
    typed,
  )
})

test('a queued mail is sent by the worker, with the mailboxes and bytes it was queued with', async (t) => {
  const server = await smtpServer(t)
  const jobs: unknown[] = []
  const queue = { push: (job: unknown) => Promise.resolve(jobs.push(structuredClone(job))) }
  const { mailer } = mailerTo(t, server, { queue })
  assert.equal(await mailer.deliver(hello({ bcc: 'eve@example.org' })), true)
  assert.equal(server.received.length, 0)
  await mailer.work({ payload: jobs[0] })
  assert.deepEqual(server.received[0]?.to, ['ada@example.org', 'eve@example.org'])
})
