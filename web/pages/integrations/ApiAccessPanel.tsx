import { KeyRound } from 'lucide-react'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'

export function ApiAccessPanel({ onUseWebhooks }: { onUseWebhooks: () => void }) {
  return (
    <Card>
      <EmptyState
        icon={<KeyRound aria-hidden />}
        title="API documentation and access keys are Coming Soon"
        action={<Button onClick={onUseWebhooks}>Go to webhooks</Button>}
      >
        Meanwhile, please use webhooks to receive your leads.
      </EmptyState>
    </Card>
  )
}
