import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { waitUntil } from '../condition.ts'

/** A mail as the server received it: the envelope's addresses, and the text between DATA and the dot. */
export interface ReceivedMail {
  from: string
  to: string[]
  content: string
}

/** An answer other than yes, at one point of a conversation. */
export interface MailAnswer {
  at: 'connection' | 'AUTH' | 'MAIL' | 'RCPT' | 'DATA' | 'content'
  /** a reply; `nothing`: silence until {@link MailServer.release} */
  says: string
  /** only for this recipient, or mails that include it */
  to?: string
}

/**
 * A mail server (RFC 5321, as much as one sender needs) that accepts mail, refuses it as told, or never
 * answers.
 */
export interface MailServer {
  url: string
  mails: ReceivedMail[]
  /** number of connections so far, including those without an answer */
  connections: () => number
  /** Sets the exceptions; everything else is accepted. */
  answer: (...answers: MailAnswer[]) => void
  /** recipients of the mails that wait for an answer */
  held: () => string[]
  /** Accepts everything that had no answer. */
  release: () => void
  /** Breaks every connection. */
  hangUp: () => void
  waitForCount: (count: number) => Promise<ReceivedMail[]>
  close: () => Promise<void>
}

interface Talks {
  mails: ReceivedMail[]
  held: Map<() => void, string>
  find: (at: MailAnswer['at'], to: readonly string[]) => string | undefined
}

export async function startMailServer(): Promise<MailServer> {
  let answers: readonly MailAnswer[] = []
  const talks: Talks = {
    mails: [],
    held: new Map(),
    find: (at, to) =>
      answers.find((one) => one.at === at && (one.to === undefined || to.includes(one.to)))?.says,
  }
  const { mails, held } = talks
  const open = new Set<Socket>()
  let connections = 0
  const server = createServer((socket) => {
    connections += 1
    open.add(socket)
    socket.on('close', () => open.delete(socket))
    socket.on('error', () => undefined)
    talk(socket, talks)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const hangUp = (): void => {
    held.clear()
    for (const socket of open) socket.destroy()
  }
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mails,
    connections: () => connections,
    answer: (...next) => {
      answers = next
    },
    held: () => [...held.values()],
    release: () => {
      const going = [...held.keys()]
      held.clear()
      for (const go of going) go()
    },
    hangUp,
    waitForCount: async (count) => {
      await waitUntil(() => mails.length >= count, { what: `${count} mails` })
      return mails
    },
    close: async () => {
      hangUp()
      server.close()
      await once(server, 'close')
    },
  }
}

const newMail = (): ReceivedMail => ({ from: '', to: [], content: '' })

function talk(socket: Socket, { mails, held, find }: Talks): void {
  let mail = newMail()
  let isData = false
  let isHeld = false
  let rest = ''
  const lines: string[] = []

  /**
   * Accepts by calling `go`, or gives the configured answer; commands that arrive meanwhile (RFC 2920) wait.
   */
  function reply(at: MailAnswer['at'], to: readonly string[], go: () => void): void {
    const says = find(at, to)
    if (says === undefined) go()
    else if (says !== 'nothing') socket.write(`${says}\r\n`)
    else {
      isHeld = true
      held.set(() => {
        isHeld = false
        go()
        takeAll()
      }, to.join())
    }
  }
  const say = (line: string) => () => socket.write(`${line}\r\n`)

  function take(line: string): void {
    if (isData) {
      if (line !== '.') {
        mail.content += `${line.replace(/^\./, '')}\r\n`
        return
      }
      isData = false
      const whole = mail
      mail = newMail()
      reply('content', whole.to, () => {
        mails.push(whole)
        socket.write('250 kept\r\n')
      })
      return
    }
    const command = line.slice(0, 4).toUpperCase()
    const address = /<([^>]*)>/.exec(line)?.[1] ?? ''
    if (command === 'EHLO') socket.write('250-mail.example.com\r\n250-PIPELINING\r\n250 AUTH PLAIN\r\n')
    else if (command === 'AUTH') reply('AUTH', [], say('235 welcome'))
    else if (command === 'MAIL') {
      reply('MAIL', [], () => {
        mail = { ...newMail(), from: address }
        socket.write('250 ok\r\n')
      })
    } else if (command === 'RCPT' && mail.from === '') socket.write('503 from whom?\r\n')
    else if (command === 'RCPT') {
      reply('RCPT', [address], () => {
        mail.to.push(address)
        socket.write('250 ok\r\n')
      })
    } else if (command === 'DATA') {
      if (mail.to.length === 0) socket.write('503 nobody to take it\r\n')
      else
        reply('DATA', mail.to, () => {
          isData = true
          socket.write('354 go on\r\n')
        })
    } else if (command === 'RSET') {
      mail = newMail()
      socket.write('250 ok\r\n')
    } else if (command === 'QUIT') socket.end('221 bye\r\n')
    else socket.write('250 ok\r\n')
  }
  function takeAll(): void {
    while (lines.length > 0) {
      if (isHeld) return
      take(lines.shift() ?? '')
    }
  }

  socket.on('data', (chunk) => {
    const parts = (rest + chunk.toString('utf8')).split('\r\n')
    rest = parts.pop() ?? ''
    lines.push(...parts)
    takeAll()
  })
  reply('connection', [], say('220 mail.example.com ESMTP'))
}
