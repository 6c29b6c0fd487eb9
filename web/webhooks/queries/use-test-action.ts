import { useTestWebhook } from './webhook-endpoint-test.ts'
import { toast } from '../../ui/overlay/toast.ts'

/**
 * Runs Test Endpoint for a saved webhook and shows the result in a toast (docs/product.md §7); returns true
 * if it succeeded.
 */
export function useTestAction() {
  const test = useTestWebhook()
  const run = async (webhookId: string): Promise<boolean> => {
    try {
      const { success, error } = await test.mutateAsync(webhookId)
      if (success) toast.success('Test webhook sent successfully!')
      else toast.error(`Test failed: ${error === null || error.trim() === '' ? 'Unknown error' : error}`)
      return success
    } catch {
      toast.error('Failed to test webhook endpoint')
      return false
    }
  }
  return { run, isRunning: test.isPending }
}
