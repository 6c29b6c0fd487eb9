import { Card } from '#web/ui/show/Card.tsx'

const SENT = [
  'A webhook of yours keeps failing, works again, or was switched off.',
  'Links and codes that are asked for: to sign in, to choose a password, to change your address.',
]

/** Which mails the client gets. A choice joins this list when there is a mail that can be chosen. */
export function NoticesPanel() {
  return (
    <Card title="Sent by mail" className="max-w-2xl">
      <ul className="flex list-disc flex-col gap-1 pl-5 text-sm">
        {SENT.map((notice) => (
          <li key={notice}>{notice}</li>
        ))}
      </ul>
      <p className="mt-3 text-sm text-muted">
        They cannot be switched off: without them leads could wait, or your account be lost, and nobody told
        you.
      </p>
    </Card>
  )
}
