import { Navigate } from "@tanstack/react-router";
import { homeOf } from "./navigation.ts";
import { useSession } from "./session.tsx";

export function Home() {
  return <Navigate to={homeOf(useSession())} replace />;
}
