import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { waitUntil } from '../condition.ts'

/** A mail as the server got it: the envelope's addresses and the text between DATA and the dot. */
export interface ReceivedMail {
  from: string
  to: string[]
  content: string
}

/** A mail server that takes mail, refuses it with a code, or never says a word. */
export interface MailServer {
  url: string
  mails: ReceivedMail[]
  /** connections so far, those that got no answer included */
  connections: () => number
  answer: (how: 'accept' | 'refuse' | 'silent') => void
  /** Breaks every connection off. */
  hangUp: () => void
  waitForCount: (count: number) => Promise<ReceivedMail[]>
  close: () => Promise<void>
}

export async function startMailServer(): Promise<MailServer> {
  const mails: ReceivedMail[] = []
  const open = new Set<Socket>()
  let connections = 0
  let how: 'accept' | 'refuse' | 'silent' = 'accept'
  const server = createServer((socket) => {
    connections += 1
    open.add(socket)
    socket.on('close', () => open.delete(socket))
    socket.on('error', () => undefined)
    if (how !== 'silent') talk(socket, () => how, mails)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const hangUp = (): void => {
    for (const socket of open) socket.destroy()
  }
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mails,
    connections: () => connections,
    answer: (next) => {
      how = next
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

/** As much of RFC 5321 as one sender needs. */
function talk(socket: Socket, how: () => string, mails: ReceivedMail[]): void {
  let mail: ReceivedMail = { from: '', to: [], content: '' }
  let isData = false
  let rest = ''
  const say = (line: string) => socket.write(`${line}\r\n`)
  const take = (line: string): void => {
    if (isData) {
      if (line === '.') {
        isData = false
        mails.push(mail)
        mail = { from: '', to: [], content: '' }
        say('250 kept')
      } else mail.content += `${line.replace(/^\./, '')}\r\n`
      return
    }
    const command = line.slice(0, 4).toUpperCase()
    const address = /<([^>]*)>/.exec(line)?.[1] ?? ''
    if (command === 'EHLO') say('250 mail.example.com')
    else if (command === 'MAIL') {
      mail.from = address
      say('250 ok')
    } else if (command === 'RCPT') {
      if (how() === 'refuse') say(`550 no mailbox <${address}>`)
      else {
        mail.to.push(address)
        say('250 ok')
      }
    } else if (command === 'DATA') {
      isData = true
      say('354 go on')
    } else if (command === 'QUIT') socket.end('221 bye\r\n')
    else say('250 ok')
  }
  socket.on('data', (chunk) => {
    const lines = (rest + chunk.toString('utf8')).split('\r\n')
    rest = lines.pop() ?? ''
    for (const line of lines) take(line)
  })
  say('220 mail.example.com ESMTP')
}
