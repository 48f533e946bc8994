import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { Toasts } from "../components/toasts.tsx";
import { ProofHost } from "../features/proof/proof-host.tsx";
import { queryClient } from "../lib/client.ts";
import { router } from "./router.tsx";

export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
      <Toasts />
      <ProofHost />
    </QueryClientProvider>
  );
}
