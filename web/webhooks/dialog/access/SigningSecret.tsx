import { useQuery } from '@tanstack/react-query'
import { Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import { signingSecretQuery } from '#web/webhooks/queries/webhook-configs.ts'
import { LoadFailure } from '#web/components/LoadFailure.tsx'
import { Button } from '#web/ui/action/Button.tsx'
import { CodeBlock } from '#web/ui/show/CodeBlock.tsx'
import { CopyButton } from '#web/ui/action/CopyButton.tsx'
import { Skeleton } from '#web/ui/wait/Skeleton.tsx'
import { TabPanel, Tabs } from '#web/ui/action/Tabs.tsx'
import { OptionGroup } from '../OptionGroup.tsx'
import { RotateSecret } from './RotateSecret.tsx'
import { MASKED_SECRET, writeVerificationSnippets } from './verification-snippets.ts'

/** Asked for only when somebody opens the section; hidden until they press Reveal. */
export function SigningSecret({ configId }: { configId: string }) {
  return (
    <OptionGroup title="Signing secret" summary="Signs every request · how a receiver checks that">
      <SecretAndSnippets configId={configId} />
    </OptionGroup>
  )
}

function SecretAndSnippets({ configId }: { configId: string }) {
  const query = useQuery(signingSecretQuery(configId))
  const [revealed, setRevealed] = useState(false)
  if (query.isError) {
    return (
      <LoadFailure
        title="The signing secret could not be loaded."
        error={query.error}
        onRetry={() => void query.refetch()}
      />
    )
  }
  const secret = query.data?.secret
  const shown = revealed && secret !== undefined ? secret : MASKED_SECRET
  return (
    <div className="flex flex-col gap-4">
      <p className="max-w-prose text-sm text-muted">
        Every request carries webhook-id, webhook-timestamp and webhook-signature (Standard Webhooks). Check
        the signature with this secret before you trust a lead, and keep the webhook-id: it is the same on
        every retry.
      </p>
      <div className="flex flex-wrap items-center gap-2">
        {secret === undefined ? (
          <Skeleton className="h-9 w-80 max-w-full" />
        ) : (
          <code className="flex min-h-9 min-w-0 items-center rounded-lg border border-line bg-sunken px-3 py-1 font-mono text-xs break-all">
            {shown}
          </code>
        )}
        <Button
          disabled={secret === undefined}
          icon={revealed ? <EyeOff aria-hidden className="size-4" /> : <Eye aria-hidden className="size-4" />}
          onClick={() => setRevealed(!revealed)}
        >
          {revealed ? 'Hide' : 'Reveal'}
        </Button>
        {secret !== undefined && <CopyButton value={secret} label="Copy secret" />}
      </div>
      {query.data !== undefined && (
        <RotateSecret configId={configId} previousExpiresAt={query.data.previous_expires_at} />
      )}
      <Snippets secret={shown} />
    </div>
  )
}

function Snippets({ secret }: { secret: string }) {
  const snippets = writeVerificationSnippets(secret)
  const [chosen, setChosen] = useState('node')
  return (
    <Tabs
      label="How to verify the signature"
      value={chosen}
      onValueChange={setChosen}
      tabs={snippets.map(({ id, label }) => ({ value: id, label }))}
    >
      {snippets.map(({ id, label, code }) => (
        <TabPanel key={id} value={id}>
          <CodeBlock label={`${label} verification`} code={code} wrap={false} />
        </TabPanel>
      ))}
    </Tabs>
  )
}
