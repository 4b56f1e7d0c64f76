#!/bin/sh
# SPDX-License-Identifier: MIT
# The Slurm array of docs/scale.md, as documented, with Slurm's own daemons on this machine: munged,
# slurmctld and slurmd, all in a folder of their own.
. "$(dirname "$0")/../lib.sh"
for program in munged slurmctld slurmd sbatch; do
    PATH=$PATH:/usr/sbin command -v $program > /dev/null || { echo "skipped: no $program"; exit 77; }
done
[ "${SLURM_TEST:-}" ] || { echo "skipped: takes more than a minute, mostly idle; set SLURM_TEST"; exit 77; }
[ "$(id -u)" = 0 ] || { echo "skipped: slurmd must be started by root"; exit 77; }
PATH=$PATH:/usr/sbin
host=$(hostname -s)
port=$((20000 + $$ % 10000))
mkdir daemons daemons/state daemons/spool
chmod 755 "$folder"
dd if=/dev/urandom of=daemons/munge.key bs=1024 count=1 2> err
chmod 400 daemons/munge.key
cat > daemons/slurm.conf << END
ClusterName=one
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$folder/daemons/munge.socket
StateSaveLocation=$folder/daemons/state
SlurmdSpoolDir=$folder/daemons/spool
SlurmctldPidFile=$folder/daemons/slurmctld.pid
SlurmdPidFile=$folder/daemons/slurmd.pid
SlurmctldLogFile=$folder/daemons/slurmctld.log
SlurmdLogFile=$folder/daemons/slurmd.log
SlurmctldPort=$port
SlurmdPort=$((port + 1))
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
NodeName=$host NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=$host Default=YES State=UP
END
export SLURM_CONF="$folder/daemons/slurm.conf"

end_daemons() {
    for name in slurmd slurmctld munged; do
        [ ! -f "$folder/daemons/$name.pid" ] || kill "$(cat "$folder/daemons/$name.pid")" 2> /dev/null
    done
    sleep 0.5
    cd /
    rm -rf "$folder"
}
trap end_daemons EXIT
shown="slurm's daemons"
munged --force --key-file="$folder/daemons/munge.key" --socket="$folder/daemons/munge.socket" \
    --pid-file="$folder/daemons/munged.pid" --log-file="$folder/daemons/munged.log" --seed-file="$folder/daemons/munge.seed" 2> err
slurmctld 2>> err
slurmd -N "$host" 2>> err
waited=0
until sinfo -h -o %T 2>> err | grep -q idle; do
    [ $waited -lt 120 ] || { cat daemons/*.log; fail "the node does not come up"; finish; }
    waited=$((waited + 1))
    sleep 0.25
done

# The script and the command line as they stand in the documentation, but for the number of tasks.
awk '/^    #!\/bin\/sh/ { on = 1 } on && /^$/ { exit } on { print substr($0, 5) }' "$source_folder/docs/scale.md" > predict.sbatch
i=0
while [ $i -lt 10 ]; do
    printf 'T1|begin(b%s)|a:1\nT1|r(x%s)|a:2\nT1|w(x%s)|a:3\nT1|end(b%s)|a:4\nT2|w(x%s)|b:1\n' $i $i $i $i $i
    i=$((i + 1))
done > run.std
mkdir bin
ln -s "$SERIATIM" bin/seriatim
PATH=$folder/bin:$PATH
shown="sbatch --array=1-6 predict.sbatch run.std"
timeout 120 sbatch --wait --array=1-6 predict.sbatch run.std > out 2> err
status=$?
expect_status 0
run merge --json whole.json part-*.json
expect_status 1
expect_out '^violation: 10 of 10 blocks can be violated$'

# Again: only what is missing.
touch -d '2001-01-01' part-*.json
rm part-3.json
timeout 120 sbatch --wait --array=1-6 predict.sbatch run.std > out 2> err
status=$?
expect_status 0
[ "$(find . -name 'part-*.json' -newermt 2002-01-01)" = ./part-3.json ] || fail "only part 3 was missing"
run merge part-*.json
expect_out '^violation: 10 of 10 blocks can be violated$'
finish
