import { QueryClientProvider } from '@tanstack/react-query'
import { useState } from 'react'
import { Outlet } from 'react-router-dom'
import { createQueryClient } from '../api/query-client.ts'
import { AuthProvider } from '../session/AuthProvider.tsx'
import { UiProvider } from '../ui/UiProvider.tsx'
import { useScrollMemory } from './use-scroll-memory.ts'

/**
 * The parts around every screen. It is inside the router, so that its own failure also shows the error
 * screen.
 */
export function AppFrame() {
  useScrollMemory()
  const [queryClient] = useState(createQueryClient)
  return (
    <QueryClientProvider client={queryClient}>
      <UiProvider>
        <AuthProvider>
          <Outlet />
        </AuthProvider>
      </UiProvider>
    </QueryClientProvider>
  )
}
