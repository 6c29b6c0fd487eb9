import { QueryClientProvider } from '@tanstack/react-query'
import { useState } from 'react'
import { Outlet, ScrollRestoration } from 'react-router-dom'
import { createQueryClient } from '../api/query-client.ts'
import { AuthProvider } from '../session/AuthProvider.tsx'
import { UiProvider } from '../ui/UiProvider.tsx'

/** What every screen needs around it; inside the router, so that its failure too shows the application's error screen. */
export function AppFrame() {
  const [queryClient] = useState(createQueryClient)
  return (
    <QueryClientProvider client={queryClient}>
      <UiProvider>
        <AuthProvider>
          <Outlet />
          <ScrollRestoration />
        </AuthProvider>
      </UiProvider>
    </QueryClientProvider>
  )
}
