import { useInfiniteQuery } from '@tanstack/react-query'
import { Mail } from 'lucide-react'
import { z } from 'zod'
import {
  CONTACT_TOPIC_LABELS,
  contactMessageSchema,
  type ContactMessage,
} from '#core/contract/operations/contact-message.ts'
import { apiPath } from '#web/api/api-path.ts'
import { request } from '#web/api/client.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { buttonClass } from '#web/ui/action/button-class.ts'
import { toast } from '#web/ui/overlay/toast.ts'
import { Badge } from '#web/ui/show/Badge.tsx'
import { EmptyState } from '#web/ui/show/EmptyState.tsx'
import { RelativeTime } from '#web/ui/show/RelativeTime.tsx'
import { pages } from '#web/components/admin/admin-lists.ts'
import { PagedCard } from '#web/components/admin/PagedCard.tsx'
import { useChange } from '#web/components/admin/use-change.ts'

const messagesQuery = pages('contact-messages', contactMessageSchema, {})

/** Lists messages of the contact form; they are answered by mail. */
export function MessagesPanel() {
  const messages = useInfiniteQuery(messagesQuery)
  const mark = useChange(
    ({ id, answered }: { id: string; answered: boolean }) =>
      request(apiPath('admin', 'contact-messages', id), z.undefined(), {
        method: 'PATCH',
        body: { answered },
      }),
    { onDone: () => undefined },
  )
  return (
    <PagedCard
      title="Messages"
      failure="The messages could not be loaded."
      query={messages}
      empty={
        <EmptyState icon={<Mail aria-hidden />} title="Nobody has written">
          Messages from the contact page appear here. Answer them by email.
        </EmptyState>
      }
    >
      {(items) => (
        <ul aria-label="Messages" className="divide-y divide-line">
          {items.map((message) => (
            <li key={message.id} className="flex flex-col gap-2 px-4 py-4 text-sm">
              <MessageHead message={message} />
              <p className="max-w-[80ch] break-words whitespace-pre-wrap">{message.message}</p>
              <div className="flex flex-wrap gap-2">
                <a href={writeAnswer(message)} className={buttonClass('secondary', 'sm')}>
                  Answer by mail
                </a>
                <Button
                  size="sm"
                  variant="quiet"
                  busy={mark.isBusy}
                  onClick={() =>
                    mark.send(
                      { id: message.id, answered: message.answered_at === null },
                      { onError: () => toast.error('The message could not be marked') },
                    )
                  }
                >
                  {message.answered_at === null ? 'Mark as answered' : 'Mark as not answered'}
                </Button>
              </div>
            </li>
          ))}
        </ul>
      )}
    </PagedCard>
  )
}

function MessageHead({ message }: { message: ContactMessage }) {
  return (
    <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
      <h3 className="font-medium wrap-anywhere">
        <bdi>{message.name === '' ? message.email : message.name}</bdi>
      </h3>
      {message.name !== '' && <span className="break-all text-muted">{message.email}</span>}
      <span className="text-muted">{CONTACT_TOPIC_LABELS[message.topic]}</span>
      <span className="text-faint tabular">
        {message.reference} · <RelativeTime at={message.created_at} />
      </span>
      {message.answered_at === null ? (
        <Badge tone="waiting">Waits for an answer</Badge>
      ) : (
        <Badge>Answered</Badge>
      )}
    </div>
  )
}

function writeAnswer({ email, reference, message }: ContactMessage) {
  const quoted = message
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n')
  const fields = { subject: `Your message ${reference}`, body: `\n\n${quoted}` }
  const query = Object.entries(fields).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  return `mailto:${encodeURIComponent(email)}?${query.join('&')}`
}
