import { KeyRound } from 'lucide-react'
import { Button } from '../ui/action/Button.tsx'
import { Card } from '../ui/show/Card.tsx'
import { EmptyState } from '../ui/show/EmptyState.tsx'

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
