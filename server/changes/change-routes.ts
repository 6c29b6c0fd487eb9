import { AppError } from '#core/errors.ts'
import { readBearer, readExpiry } from '../identity/access-token.ts'
import { route } from '../http/route.ts'

const TOKEN = /^[0-9a-f]{32}$/

export const changeRoutes = [
  route({
    method: 'get',
    path: '/api/v1/changes',
    who: 'user',
    may: 'figures',
    summary: 'Stream a notice whenever your leads, deliveries, webhooks or balance change',
    description:
      'The stream of server-sent events stays open. An event with data says that something changed, but not what: fetch again what you show. Send the last `id` as `Last-Event-ID` when you reconnect, and you get an event only if something changed meanwhile. A comment comes at least every 5 s. The stream ends with the session, and when the access token expires. A stream beyond the limit is refused (429).',
    answers: { 200: null },
    streams: 'id: 5d41402abc4b2a76b9719d911017c592\ndata: changed\n\n',
    handle: async ({ context, caller, sender, header, onGone }) => {
      const expiresAt = readExpiry(readBearer(header('Authorization')))
      if (expiresAt === undefined) throw new AppError('invalid_token', 'The access token has no end.')
      const last = header('Last-Event-ID') ?? ''
      const { user_id, session_id, member_role } = caller
      const token = TOKEN.test(last) ? last : undefined
      const { pieces, close } = context.changes.follow({
        user_id,
        member_role,
        sender: sender.name,
        session_id,
        expiresAt,
        token,
      })
      onGone(close)
      return {
        status: 200,
        pieces,
        type: 'text/event-stream',
        headers: {
          // No proxy may cache, compress or buffer the stream, because that would delay it. Its connection
          // cannot serve another request.
          'Cache-Control': 'no-store, no-transform',
          'X-Accel-Buffering': 'no',
          Connection: 'close',
        },
      }
    },
  }),
]
