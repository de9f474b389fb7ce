// Command crokcam keeps the score of crokinole through a camera.
package main

import (
	"os"

	"github.com/spf13/cobra"
)

func main() {
	root := &cobra.Command{Use: "crokcam", Short: "Keep the score of crokinole through a camera", SilenceUsage: true}
	root.AddCommand(newJudgeCmd(), newRulesCmd())
	if root.Execute() != nil {
		os.Exit(1)
	}
}
